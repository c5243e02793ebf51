// Copyright (c) The Saltmarsh Authors. All rights reserved.

// Couriers take parcels from one quay to the next.

using System;
using System.Collections.Generic;
using static System.Math;
using Harbour.Tides;
using Chart = Harbour.Charts.DepthChart;

namespace Harbour.Couriers;

/// <summary>Whatever can take a parcel along.</summary>
public interface ICarrier
{
    string Name { get; }

    /// <summary>Takes it along.</summary>
    Task<bool> CarryAsync(Parcel parcel, CancellationToken stop = default);
}

public record Parcel(string From, string To, decimal Weight)
{
    public bool IsHeavy => Weight > Courier.HeaviestByHand;
}

public enum Outcome
{
    Arrived,
    Lost,
}

public delegate void Arrival(Parcel parcel);

internal readonly struct Berth
{
    public int Number { get; init; }
}

/// <summary>
/// Delivers one parcel after the other.
/// </summary>
[Serializable]
public sealed class Courier<TClock> : CarrierBase, ICarrier, IDisposable
    where TClock : IClock, new()
{
    /// <summary>More than that needs a cart.</summary>
    public const decimal HeaviestByHand = 12.5m;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(3);
    private readonly Chart _chart;

    public event Arrival? Arrived;

    public Courier(Chart chart, string name) : base(name)
    {
        _chart = chart ?? throw new ArgumentNullException(nameof(chart));
        Name = name;
    }

    /// <summary>Who carries.</summary>
    public string Name { get; private set; }

    public int this[string quay] => _chart.Depth(quay);

    // Waits for the tide if the water is low.
    [Retry(Times = 3)]
    public override async Task<bool> CarryAsync(Parcel parcel, CancellationToken stop = default)
    {
        bool Deep(string quay) => _chart.Depth(quay) > 2;

        if (!Deep(parcel.To))
        {
            await this.WaitAsync(Tide.Next<TClock>(), stop);
        }
        Arrived?.Invoke(parcel);
        return Announce(new Receipt(parcel)) == Outcome.Arrived;
    }

    public void Dispose() => _chart.Dispose();

    public static Courier<TClock> operator +(Courier<TClock> courier, Parcel parcel) => courier.With(parcel);

    private Outcome Announce(Receipt receipt) => Outcome.Arrived;

    private sealed class Receipt
    {
        public Receipt(Parcel parcel) { }
    }
}

public static class CourierExtensions
{
    public static void CarryAll(this ICarrier carrier, IEnumerable<Parcel> parcels)
    {
        foreach (var parcel in parcels) carrier.CarryAsync(parcel).Wait();
    }
}
