defmodule Harbour.Dispatch do
  @moduledoc """
  Sends couriers out as long as the tide allows.

  One process for each harbour.
  """

  use GenServer
  @behaviour Harbour.Channel

  alias Harbour.{Courier, Tides.Forecast}
  alias Harbour.Logbook, as: Book
  import Harbour.Guards, only: [is_port: 1]
  require Logger

  # Nobody waits longer than that.
  @longest_wait 900

  @type parcel :: %{port: atom(), weight: pos_integer()}
  @typep state :: map()

  defstruct [:port, waiting: []]

  defmodule Berth do
    @moduledoc false

    @enforce_keys [:number]
    defstruct [:number]

    def free?(%__MODULE__{number: number}), do: Harbour.Dispatch.vacant?(number)
  end

  @doc "Starts the dispatch of a harbour."
  def start_link(port) do
    GenServer.start_link(__MODULE__, port)
  end

  @doc """
  What a parcel costs.

      iex> Harbour.Dispatch.price(:letter)
      1
  """
  @spec price(atom() | parcel()) :: integer()
  def price(:letter), do: 1

  # Heavy ones need a crane.
  def price(%{weight: weight}) when weight > 100 do
    surcharge(weight) + crane_fee()
  end

  def price(%{weight: weight}), do: surcharge(weight)

  @impl true
  def init(port) when is_port(port) do
    {:ok, %__MODULE__{port: port}}
  end

  @impl true
  def handle_call({:send, parcel}, _from, state) do
    courier = Courier.nearest(state.port)

    parcel
    |> Forecast.check(@longest_wait)
    |> deliver(courier)
    |> Book.note()

    {:reply, :ok, state}
  end

  def vacant?(number), do: number > 0

  defp deliver(parcel, courier), do: Courier.carry(courier, parcel)

  defp surcharge(weight) do
    div(weight, 10)
  end

  defp crane_fee, do: 7

  defmacro on_duty(port, do: block) do
    quote do
      if Courier.any?(unquote(port)), do: unquote(block)
    end
  end
end

defprotocol Harbour.Floats do
  @doc "How deep it reaches."
  def draught(thing)
end

defimpl Harbour.Floats, for: Harbour.Raft do
  def draught(_raft), do: 1
end
