import type { LiveStation } from '#server/features/radio/mix/liveStation.ts'
import { createSound } from '#server/features/radio/mix/sound.ts'

/** A station without live sources. */
export const automaticStation: LiveStation = {
  sound: createSound(() => new Date()),
  playing: () => null,
  onChange: () => () => {},
}

export const noLive = { station: automaticStation }
