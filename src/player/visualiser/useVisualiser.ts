import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { visualiserMessages } from '#src/contract/radio.ts'
import { openAudioGraph } from '#src/player/engine.ts'
import { setPlayer } from '#src/player/store.ts'
import { toast } from '#src/ui/Toast.tsx'
import { createVisualiser, type Visualiser } from './createVisualiser.ts'
import { getSettings } from './settings.ts'

/** Gives up after this many context losses in a row. */
const MOST_LOSSES = 3
/** ms of drawing after which a context loss starts a new count */
const STEADY = 30_000

type Drawn = {
  /** text for visitors */
  error: string | null
  /** canvas key: a canvas with a lost context cannot be reused */
  generation: number
  retry: () => void
}

/** Draws `preset` while `drawing`. If it cannot be loaded, shows a toast and restores the previous preset. */
export function useVisualiser(canvas: RefObject<HTMLCanvasElement | null>, preset: string, drawing: boolean): Drawn {
  const [visualiser, setVisualiser] = useState<Visualiser | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [generation, setGeneration] = useState(0)
  const losses = useRef({ count: 0, at: 0 })
  /** the shown preset; null before the first one */
  const shown = useRef<string | null>(null)
  const asked = useRef(preset)
  asked.current = preset

  // biome-ignore lint/correctness/useExhaustiveDependencies: each generation has a new canvas
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

/** Passes on the two errors that visitors can act on. */
function messageOf(thrown: unknown): string {
  const { noWebgl, noAudio, failed } = visualiserMessages
  const message = thrown instanceof Error ? thrown.message : ''
  return message === noWebgl || message === noAudio ? message : failed
}
