import { useEffect, useEffectEvent } from 'react'

type Overlay = { close: () => void; isBusy: () => boolean }

/** Timeout for history.go(), which may fire no event. */
const TRAVERSAL_MS = 500

const overlays: Overlay[] = []
let url = ''
let isSyncScheduled = false
let isTraversing = false
let onTraversed = () => {}

/** Returns the number of overlays at the current history entry. */
const depth = () => Number(history.state?.layer ?? 0)

/** Closes the overlay on Back. Returns a function to call when it closes otherwise. */
export function addOverlay(overlay: Overlay): () => void {
  overlays.push(overlay)
  scheduleSync()
  return () => {
    const at = overlays.indexOf(overlay)
    if (at < 0) return
    overlays.splice(at, 1)
    scheduleSync()
  }
}

/** Waits, so that an overlay that opens when another closes reuses its history entry. */
function scheduleSync() {
  if (isSyncScheduled) return
  isSyncScheduled = true
  queueMicrotask(() => {
    isSyncScheduled = false
    syncHistory()
  })
}

function syncHistory() {
  if (isTraversing) return
  url = location.href
  if (depth() > overlays.length) {
    isTraversing = true
    history.go(overlays.length - depth())
  }
  while (!isTraversing && depth() < overlays.length) history.pushState({ ...history.state, layer: depth() + 1 }, '')
}

function onPopState(event: PopStateEvent) {
  if (overlays.length === 0 && !isTraversing) return
  isTraversing = false
  onTraversed()
  if (location.href !== url) {
    // The router handles other pages.
    for (const overlay of overlays.splice(0)) overlay.close()
    return
  }
  event.stopImmediatePropagation()
  // The router compares the next entry with the last one it saw, so the state must be set again.
  history.replaceState(history.state, '')
  while (overlays.length > depth() && !overlays.at(-1)?.isBusy()) overlays.pop()?.close()
  scheduleSync()
}

// public/early.js calls it by this name, before the router: the router must not see events that close overlays.
Object.assign(globalThis, { __onPopState: onPopState })

/** Goes back over the history entries of all overlays, before a navigation adds its own. */
export async function closeOverlays(): Promise<void> {
  overlays.length = 0
  syncHistory()
  if (!isTraversing) return
  await new Promise<void>((resolve) => {
    onTraversed = resolve
    setTimeout(resolve, TRAVERSAL_MS)
  })
}

/** Makes Back close an overlay instead of leaving the page, except while it is busy. */
export function useCloseOnBack(open: boolean, onBack: () => void, busy = false) {
  const close = useEffectEvent(onBack)
  const isBusy = useEffectEvent(() => busy)

  useEffect(() => {
    if (open) return addOverlay({ close: () => close(), isBusy: () => isBusy() })
  }, [open])
}
