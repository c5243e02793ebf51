module Harbour.TidesSpec (spec) where

import Harbour.Tides
import Test.Hspec

spec :: Spec
spec = describe "mayEnter" $ do
  it "lets everyone in at high water" $
    mayEnter (boat 3) High `shouldBe` True
