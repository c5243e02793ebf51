'use strict'

var util = require('util')

/** An old-fashioned tide. */
function Tide (height) {
  this.height = height
}

Tide.of = function (height) {
  return new Tide(height)
}

exports.rise = function (tide, metres) {
  return Tide.of(tide.height + metres)
}

module.exports.Tide = Tide
