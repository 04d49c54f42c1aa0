import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { ensureAnalysableGraph } from '#src/player/engine.ts'
import { setPlayer } from '#src/player/store.ts'
import { toast } from '#src/ui/Toast.tsx'
import { createVisualiser, type Visualiser } from './createVisualiser.ts'
import { getSettings } from './settings.ts'

/** More losses of the context than this show an error, with a button to try again. */
const MAX_CONTEXT_LOSSES = 3

/** Draws the preset. If it cannot be loaded, shows a toast and restores the previous preset. */
export function useVisualiser(canvas: RefObject<HTMLCanvasElement | null>, preset: string, isDrawing: boolean) {
  const [visualiser, setVisualiser] = useState<Visualiser | null>(null)
  const [error, setError] = useState<string | null>(null)
  /** React key of the canvas. A new key creates a new canvas, because one with a lost context cannot be reused. */
  const [generation, setGeneration] = useState(0)
  const losses = useRef(0)
  const shownPreset = useRef<string | null>(null)
  const latestPreset = useRef(preset)
  latestPreset.current = preset

  // biome-ignore lint/correctness/useExhaustiveDependencies: each generation has a new canvas
  useEffect(() => {
    if (!canvas.current) return
    let instance: Visualiser | null = null
    let isClosed = false

    function onLost() {
      losses.current += 1
      if (losses.current > MAX_CONTEXT_LOSSES) {
        instance?.close()
        setVisualiser(null)
        setError(t('player.visualiserFailed'))
      } else {
        setGeneration((last) => last + 1)
      }
    }

    async function open(element: HTMLCanvasElement) {
      try {
        instance = await createVisualiser(element, ensureAnalysableGraph(), onLost)
        if (isClosed) return instance.close()
        const first = latestPreset.current
        await instance.show(first, 0)
        if (isClosed) return
        shownPreset.current = first
        setVisualiser(instance)
      } catch (thrown) {
        instance?.close()
        if (!isClosed) setError(toMessage(thrown))
      }
    }

    shownPreset.current = null
    void open(canvas.current)
    return () => {
      isClosed = true
      instance?.close()
      setVisualiser(null)
    }
  }, [canvas, generation])

  useEffect(() => {
    if (!visualiser || preset === shownPreset.current) return
    visualiser.show(preset, getSettings().blendSeconds).then(
      (isShown) => {
        if (isShown) shownPreset.current = preset
      },
      () => {
        if (latestPreset.current !== preset) return
        toast(t('player.presetFailed'))
        if (shownPreset.current !== null) setPlayer({ preset: shownPreset.current })
      },
    )
  }, [visualiser, preset])

  useEffect(() => {
    if (!visualiser || !isDrawing) return
    visualiser.start()
    return visualiser.stop
  }, [visualiser, isDrawing])

  const retry = useCallback(() => {
    losses.current = 0
    setError(null)
    setGeneration((last) => last + 1)
  }, [])

  return { error, generation, isReady: visualiser !== null, retry }
}

/** Returns the error's message if visitors can act on it, otherwise a general message. */
function toMessage(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : ''
  return message === t('player.noWebgl') || message === t('player.noAudio') ? message : t('player.visualiserFailed')
}
