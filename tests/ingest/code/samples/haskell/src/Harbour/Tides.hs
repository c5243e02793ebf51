{-# LANGUAGE LambdaCase #-}
-- |
-- Heights of the water, and who may sail on it.
module Harbour.Tides
  ( Tide (..)
  , Metres (..)
  , Port
  , Floats (..)
  , height
  , mayEnter
  , (<~>)
  , deepest
  ) where

import qualified Data.Map.Strict as Map
import Harbour.Boats (Boat (..), keel)
import Harbour.Signals hiding (hoist)

-- | Where the water stands.
data Tide
  = High
  | Low { since :: Int }
  | Turning Metres
  deriving (Eq, Show)

newtype Metres = Metres { inMetres :: Double }
  deriving newtype (Eq, Ord, Measured)

type Port = String

-- | Whatever does not sink.
class Named a => Floats a where
  -- | How deep it reaches.
  draught :: a -> Metres
  draught _ = Metres 0.5

  ballast, freight :: a -> Int

instance Floats Boat where
  draught boat = keel boat
  ballast = const 3
  freight (Boat [] _) = 0
  freight (Boat crates _) = length crates

instance Named Tide where
  nameOf High = "high water"
  nameOf other = lowered other

-- | How high the water stands at a port.
--
-- Ports that are not known have none.
height :: Map.Map Port Tide -- ^ what was measured
  -> Port
  -> Metres
height known port = case Map.lookup port known of
  Nothing -> Metres 0
  Just tide -> metres tide
  where
    metres :: Tide -> Metres
    metres High = deepest
    metres (Low _) = Metres 1
    metres (Turning level) = level

-- | Whether there is water enough under the keel.
mayEnter :: Floats a => a -> Tide -> Bool
mayEnter _ High = True
mayEnter boat (Low _)
  | draught boat < Metres 1 = True
  | otherwise = signalled boat
-- Nobody enters on a turning tide.
mayEnter _ (Turning _) = False

infixl 6 <~>

(<~>) :: Metres -> Metres -> Metres
Metres one <~> Metres other = Metres (abs (one - other))

-- | The deepest water there is.
deepest :: Metres
deepest = Metres 12

berths = 14

lowered Low {} = "low water"
lowered (Turning _) = "slack water"
lowered High = nameOf High

report :: [Port] -> IO ()
report ports = do
  let known = Map.empty
  mapM_ (putStrLn . describe . height known) ports
  flagDown
