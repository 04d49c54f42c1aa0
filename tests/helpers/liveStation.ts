import type { LiveStation } from '#server/features/radio/live/liveStation.ts'
import { createSound } from '#server/features/radio/live/sound.ts'

/** A station without live sources. */
export const automaticStation: LiveStation = {
  sound: createSound(() => new Date()),
  playing: () => null,
  onChange: () => () => {},
}

export const noLive = { station: automaticStation }
