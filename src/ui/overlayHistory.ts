import { useEffectEvent, useLayoutEffect } from 'react'

/** `isDocked`: stands beside the page, whose links to its own parts do not close it. */
type Overlay = { close: () => void; isBusy: () => boolean; isDocked?: boolean }

/** Limits the wait for history.go(), which may not fire a popstate event. */
const TRAVERSAL_MS = 500

/** The longest time between the two taps of a double tap. */
const SETTLE_MS = 300
/** The longest distance between the two taps of a double tap. */
const NEAR_PX = 30

const overlays: Overlay[] = []
let url = ''
let isSyncScheduled = false
let isTraversing = false
let onTraversed = () => {}

/** Returns the number of overlays at the current history entry. */
const depth = () => Number(history.state?.layer ?? 0)

/** Makes Back close the overlay. Returns a function to call when the overlay closes in another way. */
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

/** Syncs in a microtask, so that an overlay that replaces another overlay can reuse the same history entry. */
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
  const isOwn = isTraversing
  if (overlays.length === 0 && !isOwn) return
  isTraversing = false
  onTraversed()
  if (location.href !== url) {
    // The visitor left this page: closes all overlays, and lets the router show the other page. Only a link to a part of
    // the same page adds an entry without a state.
    const isSamePage = event.state === null
    for (const overlay of overlays.splice(0)) {
      if (isSamePage && overlay.isDocked) overlays.push(overlay)
      else overlay.close()
    }
    // The router adds its state to the new entry first.
    if (overlays.length > 0) setTimeout(scheduleSync)
    return
  }
  event.stopImmediatePropagation()
  // The router does not get this event. This call updates its record of the current history entry.
  history.replaceState(history.state, '')
  // An overlay can have opened while `syncHistory` went back for another one.
  while (!isOwn && overlays.length > depth() && !overlays.at(-1)?.isBusy()) overlays.pop()?.close()
  scheduleSync()
}

// pages/early.js calls onPopState before the router's listener. This lets onPopState hide events from the router.
Object.assign(globalThis, { __onPopState: onPopState })

/** Goes back past the history entries of all overlays. Call this before a navigation adds an entry. */
export async function closeOverlays(): Promise<void> {
  overlays.length = 0
  syncHistory()
  if (!isTraversing) return
  await new Promise<void>((resolve) => {
    onTraversed = resolve
    setTimeout(resolve, TRAVERSAL_MS)
  })
}

/** Closes what covers the page. What stands beside it stays open. */
export function closeDialogs(): void {
  for (const overlay of [...overlays]) if (!overlay.isDocked) overlay.close()
}

/** Makes Back close the overlay instead of leaving the page, unless the overlay is busy. */
export function useCloseOnBack(open: boolean, onBack: () => void, busy = false, isDocked = false) {
  const close = useEffectEvent(onBack)
  const isBusy = useEffectEvent(() => busy)

  // Uses a layout effect, so that Back works as soon as the overlay is visible.
  useLayoutEffect(() => {
    if (open) return addOverlay({ close: () => close(), isBusy: () => isBusy(), isDocked })
  }, [open, isDocked])
}

type Tap = Pick<MouseEvent, 'currentTarget' | 'clientX' | 'clientY'>

/**
 * Ignores the second tap of a double tap in an overlay if the first tap closed the overlay. Otherwise, the second tap
 * would press what lies below.
 */
export function blockDoubleTap({ currentTarget: overlay, clientX, clientY }: Tap) {
  const stop = () => removeEventListener('click', block, true)
  function block(event: MouseEvent) {
    // `detail` is 0 for the keyboard.
    if (event.detail === 0) return
    // After a click elsewhere, a click here is no second tap.
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) >= NEAR_PX) return stop()
    if ((overlay as Node).contains(event.target as Node)) return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', block, true)
  setTimeout(stop, SETTLE_MS)
}
