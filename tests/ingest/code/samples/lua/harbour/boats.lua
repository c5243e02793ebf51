--- Boats that come and go with the tide.
-- A boat knows its draught; whether it may enter is for the harbour to say.

local tides = require("harbour.tides")
local log = require "log"

local Boat = {}
Boat.__index = Boat

-- The deepest draught the channel bears, in metres.
local DEEPEST = 6.5

--- A boat with a name and a draught.
-- @param name what is painted on the bow
-- @param draught in metres
function Boat.new(name, draught)
  local self = setmetatable({}, Boat)
  self.name = name
  self.draught = draught
  return self
end

function Boat:fits(port)
  local depth = tides.depth_at(port)
  return self.draught < depth and self:is_sound()
end

function Boat:is_sound()
  return self.draught <= DEEPEST
end

--[[ A ferry carries people,
     so it leaves a margin. ]]
local Ferry = setmetatable({}, { __index = Boat })
Ferry.MARGIN = 0.5

function Ferry:fits(port)
  if not Boat.fits(self, port) then
    return false
  end
  log.note("ferry " .. self.name)
  return true
end

local M = { Boat = Boat, Ferry = Ferry }

M.MOST_BERTHS = 12

local function by_draught(one, other)
  return one.draught < other.draught
end

-- The boats that may enter now, the shallow ones first.
function M.entering(boats, port)
  local fitting = {}
  for _, boat in ipairs(boats) do
    if boat:fits(port) then
      table.insert(fitting, boat)
    end
  end
  table.sort(fitting, by_draught)
  return M.moor(fitting)
end

M.moor = function(boats)
  return { unpack(boats, 1, M.MOST_BERTHS) }
end

local _greet = function(boat)
  print("ahoy " .. boat.name)
end

return M
