import { useEffect, useEffectEvent } from 'react'

/** What lies over a page: a dialog, the drawer, the player's sheet. */
type Layer = { close: () => void; isBusy: () => boolean }

/** A traversal that brings no event must not hold a navigation. */
const TRAVERSAL_MS = 500

const layers: Layer[] = []
let url = ''
let isQueued = false
let isTraversing = false
let onTraversed = () => {}

/** How many layers the current history entry stands for. */
const depth = () => Number(history.state?.layer ?? 0)

/** Closes the layer on Back; returns how to say that it closed by other means. */
export function addLayer(layer: Layer): () => void {
  layers.push(layer)
  queue()
  return () => {
    const at = layers.indexOf(layer)
    if (at < 0) return
    layers.splice(at, 1)
    queue()
  }
}

/** One layer that closes and another that opens at once share an entry. */
function queue() {
  if (isQueued) return
  isQueued = true
  queueMicrotask(() => {
    isQueued = false
    settle()
  })
}

/** Adds or leaves history entries until there is one for each layer. */
function settle() {
  if (isTraversing) return
  url = location.href
  if (depth() > layers.length) {
    isTraversing = true
    history.go(layers.length - depth())
  }
  while (!isTraversing && depth() < layers.length) history.pushState({ ...history.state, layer: depth() + 1 }, '')
}

function onPopState(event: PopStateEvent) {
  if (layers.length === 0 && !isTraversing) return
  isTraversing = false
  onTraversed()
  if (location.href !== url) {
    // another page, which is the router's
    for (const layer of layers.splice(0)) layer.close()
    return
  }
  event.stopImmediatePropagation()
  // the router compares the next entry with the last one it has seen
  history.replaceState(history.state, '')
  while (layers.length > depth() && !layers.at(-1)?.isBusy()) layers.pop()?.close()
  queue()
}

// public/early.js calls it: listeners of the window run in their order, and the router's must not see such an event
Object.assign(globalThis, { __onPopState: onPopState })

/** Leaves the entries of all layers before a navigation adds its own; the layers close themselves, or stay. */
export async function leaveLayers(): Promise<void> {
  layers.length = 0
  settle()
  if (!isTraversing) return
  await new Promise<void>((resolve) => {
    onTraversed = resolve
    setTimeout(resolve, TRAVERSAL_MS)
  })
}

/** Closes something that lies over the page on Back, instead of leaving the page; not while it is busy. */
export function useBackCloses(open: boolean, onBack: () => void, busy = false) {
  const close = useEffectEvent(onBack)
  const isBusy = useEffectEvent(() => busy)

  useEffect(() => {
    if (open) return addLayer({ close: () => close(), isBusy: () => isBusy() })
  }, [open])
}
