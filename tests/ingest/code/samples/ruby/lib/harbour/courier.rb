# frozen_string_literal: true

# Couriers take parcels from one quay to the next.

require "json"
require "harbour/tide"
require_relative "charts/depth"

module Harbour
  # More than that needs a cart.
  HEAVIEST = 12.5

  # Says aloud what happens.
  module Announces
    def announce(what)
      puts what
    end
  end

  class Lost < StandardError; end

  # Delivers one parcel after the other.
  #
  # A courier keeps no state between two parcels.
  class Courier < Charts::Sailor
    include Announces
    extend Forwardable

    PAUSES = [1, 2, 4].freeze

    attr_reader :name, :depth
    attr_accessor :tide

    class << self
      def default
        new("Ida")
      end
    end

    def self.named(name)
      new(name)
    end

    def initialize(name, depth: Charts::Depth.new)
      @name = name
      @depth = depth
    end

    # Waits for the tide if the water is low.
    def carry(parcel, &done)
      wait_for(Tide.next) unless deep?(parcel.to)
      self.announce("#{name} took #{parcel}")
      done&.call(Receipt.new(parcel))
      parcel.sign!
    end

    def <=>(other)
      name <=> other.name
    end

    def deep?(quay) = depth.at(quay) > 2

    alias_method :take, :carry

    private

    def wait_for(tide)
      sleep(tide.seconds)
    end
  end

  Receipt = Struct.new(:parcel) do
    def signed?
      true
    end
  end
end

def carry_all(courier, parcels)
  parcels.each { |parcel| courier.carry(parcel) }
end
