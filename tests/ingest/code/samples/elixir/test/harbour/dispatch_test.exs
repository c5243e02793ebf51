defmodule Harbour.DispatchTest do
  use ExUnit.Case, async: true

  alias Harbour.Dispatch

  describe "price/1" do
    test "of a letter is one" do
      assert Dispatch.price(:letter) == 1
    end
  end
end
