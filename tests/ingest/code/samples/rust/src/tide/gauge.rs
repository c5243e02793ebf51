// SPDX-License-Identifier: Apache-2.0

//! Reads the gauges along the quay.
//!
//! A gauge that is silent for an hour is taken for broken.

use std::collections::HashMap;
use std::fmt;

use crate::courier::{self, Courier as Carrier, channels::Channel};
use super::level::Level;
use harbour_units::metres::Metres;
use serde::Serialize;

mod probe;
pub mod filter;

/// How long a gauge may be silent, in minutes.
pub const MOST_SILENCE: u32 = 60;
static READINGS: [f32; 2] = [0.0, 1.5];

/// What a gauge says.
pub type Reading = Result<Level, Silence>;

/// A gauge on the quay.
///
/// It never fails; it falls silent.
#[derive(Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Gauge<T: Probe> {
    name: String,
    probe: T,
}

pub struct Pair(pub f32, pub f32);

#[derive(Debug)]
pub enum Silence {
    Broken,
    Late { minutes: u32 },
}

/// Measures the water below it.
pub trait Probe: Send + fmt::Debug {
    const DEPTH: u32 = 3;

    /// One measurement.
    fn measure(&self) -> Metres;

    fn twice(&self) -> Pair {
        Pair(self.measure().0, self.measure().0)
    }
}

impl<T: Probe> Gauge<T> {
    /// A gauge that has measured nothing yet.
    pub fn new(name: &str, probe: T) -> Self {
        Self { name: name.to_string(), probe }
    }

    pub async fn read(&mut self, carrier: &Carrier) -> Reading
    where
        T: Clone,
    {
        let level = self.level();
        if level.is_flood() {
            carrier.deliver(&self.name);
            courier::announce::<T>(level);
        }
        log_reading!("{}", self.name);
        Ok(level)
    }

    fn level(&self) -> Level {
        Level::from_metres(self.probe.measure())
    }
}

impl<T: Probe> fmt::Display for Gauge<T> {
    // The name alone: the level changes while it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

#[macro_export]
macro_rules! log_reading {
    ($($part:expr),*) => { println!($($part),*) };
}

pub fn all() -> HashMap<String, Metres> {
    fn nothing() {}
    nothing();
    HashMap::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_all() {
        assert!(all().is_empty());
    }
}
