import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { visualiserMessages } from '#src/contract/radio.ts'
import { openAudioGraph } from '#src/player/engine.ts'
import { setPlayer } from '#src/player/store.ts'
import { toast } from '#src/ui/Toast.tsx'
import { createVisualiser, type Visualiser } from './createVisualiser.ts'
import { getSettings } from './settings.ts'

/** A canvas that was lost this often in a row will not come back. */
const MOST_LOSSES = 3
/** Milliseconds of drawing after which a loss counts as a new one. */
const STEADY = 30_000

type Drawn = {
  /** what went wrong, in the words of the catalogue */
  error: string | null
  /** of the canvas: another one is another canvas, for a lost one can't be drawn on */
  generation: number
  retry: () => void
}

/**
 * Draws `preset` on the canvas while `drawing`. One that can't be loaded is said in passing, and the one before it
 * becomes the player's again.
 */
export function useVisualiser(canvas: RefObject<HTMLCanvasElement | null>, preset: string, drawing: boolean): Drawn {
  const [visualiser, setVisualiser] = useState<Visualiser | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [generation, setGeneration] = useState(0)
  const losses = useRef({ count: 0, at: 0 })
  /** the preset on the canvas; null before the first one of this canvas */
  const shown = useRef<string | null>(null)
  const asked = useRef(preset)
  asked.current = preset

  // biome-ignore lint/correctness/useExhaustiveDependencies: another generation is another canvas
  useEffect(() => {
    if (!canvas.current) return
    let made: Visualiser | null = null
    let gone = false

    function lost() {
      const { count, at } = losses.current
      const now = performance.now()
      losses.current = { count: now - at > STEADY ? 1 : count + 1, at: now }
      if (losses.current.count > MOST_LOSSES) {
        made?.close()
        setVisualiser(null)
        setError(visualiserMessages.failed)
      } else {
        setGeneration((last) => last + 1)
      }
    }

    async function open(element: HTMLCanvasElement) {
      try {
        made = await createVisualiser(element, openAudioGraph(), lost)
        if (gone) return made.close()
        const first = asked.current
        await made.show(first, 0)
        if (gone) return
        shown.current = first
        setVisualiser(made)
      } catch (thrown) {
        made?.close()
        if (!gone) setError(messageOf(thrown))
      }
    }

    shown.current = null
    void open(canvas.current)
    return () => {
      gone = true
      made?.close()
      setVisualiser(null)
    }
  }, [canvas, generation])

  useEffect(() => {
    if (!visualiser || preset === shown.current) return
    visualiser.show(preset, getSettings().blendSeconds).then(
      (isShown) => {
        if (isShown) shown.current = preset
      },
      () => {
        if (asked.current !== preset) return
        toast(visualiserMessages.presetFailed)
        if (shown.current !== null) setPlayer({ preset: shown.current })
      },
    )
  }, [visualiser, preset])

  useEffect(() => {
    if (!visualiser || !drawing) return
    visualiser.start()
    return visualiser.stop
  }, [visualiser, drawing])

  const retry = useCallback(() => {
    losses.current = { count: 0, at: 0 }
    setError(null)
    setGeneration((last) => last + 1)
  }, [])

  return { error, generation, retry }
}

/** Two causes have a text of their own. */
function messageOf(thrown: unknown): string {
  const { noWebgl, noAudio, failed } = visualiserMessages
  const message = thrown instanceof Error ? thrown.message : ''
  return message === noWebgl || message === noAudio ? message : failed
}
