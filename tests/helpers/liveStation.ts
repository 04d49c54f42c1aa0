import { createSound } from '#server/features/radio/mix/sound.ts'
import type { LiveStation } from '#server/features/radio/mix/types.ts'

/** A station without live sources. */
export const automaticStation: LiveStation = {
  sound: createSound(() => new Date()),
  playing: () => null,
  onChange: () => () => {},
}
