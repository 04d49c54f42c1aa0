import { type ComponentType, use, useEffect, useLayoutEffect, useRef } from 'react'
import { whenIdle } from '#src/lib/idle.ts'

/** What somebody does who is about to use the page. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
const KEYS = 'button, input, label'
/** Fields that are keys: a click is all there is to know of them. */
const KEY_TYPES = /^(button|checkbox|file|radio|submit)$/

/** A key that was pressed, or a field and what was put in. */
type Held = { key: HTMLElement; value?: string | undefined; answered?: boolean }
/** Where something was done, and what stood there then. */
type Done = { target: EventTarget | null; value?: string | undefined }

/** Fetch what is not there yet. */
const missing = new Set<() => Promise<void>>()
/** The places of parts that are not alive yet, each with what was done there last. */
const asleep = new Map<string, Held | null>()

/** What was done before this file was here: kept by `public/early.js`, until it is. */
const early = takeEarly()
function takeEarly(): Done[] {
  const global = globalThis as { __early?: Done[] }
  const done = global.__early ?? []
  delete global.__early
  return done
}

const wakeUp = import.meta.env.SSR ? Promise.resolve() : new Promise<void>(waitForSigns)

function waitForSigns(resolve: () => void) {
  const wake = () => {
    for (const sign of SIGNS) window.removeEventListener(sign, wake, true)
    resolve()
  }
  for (const sign of SIGNS) window.addEventListener(sign, wake, true)
  whenIdle(wake)
  // on the window, for React lets nothing come further that it cannot answer yet
  window.addEventListener('click', hold, true)
  window.addEventListener('input', hold, true)
  window.addEventListener('click', noteAnswer)
  window.addEventListener('input', noteAnswer)
}

/** What is done too early is not lost. */
function hold(event: Event) {
  const { target } = event
  const held = heldOf({ target, value: (target as HTMLInputElement | null)?.value })
  const places = held ? placesOf(held) : []
  for (const place of places) asleep.set(place, held)
  if (held && places.length > 0) heldOn.set(event, held)
}

const placesOf = ({ key }: Held) => [...asleep.keys()].filter((place) => key.closest(place))

const heldOn = new WeakMap<Event, Held>()

/** A part may come alive for the very event that was held, and answer it: then it must not be done twice. */
function noteAnswer(event: Event) {
  const held = heldOn.get(event)
  if (held && placesOf(held).length === 0) held.answered = true
}

function heldOf({ target, value }: Done): Held | null {
  const key = target instanceof Element ? target.closest<HTMLElement>(KEYS) : null
  if (!key) return null
  // for the click too: the mouse that sets a slider sends one after what it put in
  return key instanceof HTMLInputElement && !KEY_TYPES.test(key.type) ? { key, value } : { key }
}

function redo({ key: held, value, answered }: Held, place: string) {
  const key = held.isConnected ? held : likeOf(held, place)
  // none: it is of a page that was left since
  if (answered || !key) return
  if (value === undefined || !(key instanceof HTMLInputElement)) return key.click()
  // React hears of a value that differs from the one that was set last, and does not see one set behind its back
  key.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(key, value)
  key.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The one in its stead, where React has made the part anew; none where several could be meant. */
function likeOf(key: HTMLElement, place: string): HTMLElement | undefined {
  const nameOf = (one: Element) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`
  const all = [...document.querySelectorAll<HTMLElement>(`${place} :is(${KEYS})`)]
  const [like, ...more] = all.filter((one) => nameOf(one) === nameOf(key))
  return more.length === 0 ? like : undefined
}

/**
 * A part of the page that stands in its HTML and comes alive when the page is at rest, or somebody begins to use it: the
 * first page is read sooner for that. To be rendered in a Suspense of its own, and to be given nothing that changes
 * before. The styles of such a part do not come by themselves.
 * @param place selector of the element around it
 */
export function later<Props extends object>(
  place: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined
  let arrival: Promise<void> | undefined
  const fetch = async () => {
    Part ??= await load()
    missing.delete(fetch)
  }
  missing.add(fetch)
  // From now on, for React begins with a part a moment after the rest of the page.
  asleep.set(place, early.map(heldOf).findLast((held) => held?.key.closest(place)) ?? null)

  return function Later(props: Props) {
    if (!Part) {
      arrival ??= wakeUp.then(() => atLast(fetch))
      use(arrival)
    }
    const held = useRef<Held | null>(null)
    // With the part's first answer nothing is held any more; what was is done when its own effects are.
    useLayoutEffect(() => {
      held.current = asleep.get(place) ?? held.current
      asleep.delete(place)
    }, [])
    useEffect(() => {
      const { current } = held
      held.current = null
      if (current) setTimeout(() => redo(current, place))
    }, [])
    return Part && <Part {...props} />
  }
}

/** Fetches all parts there are: HTML is made with them, and no page but the first is shown without. */
export async function fetchParts(): Promise<void> {
  await Promise.all([...missing].map((fetch) => fetch()))
}

/** What cannot be had is tried again when somebody wants it; until then the page stays as it is. */
async function atLast(fetch: () => Promise<void>): Promise<void> {
  try {
    await fetch()
  } catch {
    await new Promise((resolve) => window.addEventListener('pointerdown', resolve, { once: true }))
    await atLast(fetch)
  }
}
