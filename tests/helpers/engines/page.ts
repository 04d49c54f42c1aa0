import { setTimeout as sleep } from 'node:timers/promises'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import { isHydrated } from '#tests/helpers/hydration.ts'
import type { Session } from './session.ts'

/** WebDriver's key of an element in JSON */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const BUTTONS = 'button, a, summary, label, [role=button]'
const FIELDS = 'input:not([type=hidden]), textarea, select'
/** Long, for a busy machine. */
const WAIT_MS = 20_000
const LOST_CLICK_MS = 5000

/** Text is compared as a whole, a pattern is searched. Both ignore case and spaces, because styles change them. */
export type Text = string | RegExp

export type EnginePage = ReturnType<typeof createPage>

/** Wraps a browser in what visitors do. Each method waits until it is possible, and fails after 20 seconds. */
export function createPage({ send }: Session, origin: string) {
  async function evaluate<Args extends unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const script = `return (${run}).apply(null, arguments)`
    return (await send('ExecuteScript', { script, args })) as Awaited<Result>
  }

  /** Waits until `check` returns something true. */
  async function until<Result>(what: string, check: () => Promise<Result>): Promise<NonNullable<Result>> {
    const deadline = Date.now() + WAIT_MS
    for (;;) {
      let fault = ''
      try {
        const result = await check()
        if (result) return result
      } catch (error) {
        // The page can replace an element, or cover it for a moment.
        fault = String(error)
      }
      if (Date.now() > deadline) throw new Error(`${what}: not within ${WAIT_MS / 1000} s at ${await path()}. ${fault}`)
      await sleep(50)
    }
  }

  const path = () => evaluate(() => location.pathname + location.search + location.hash)
  const pattern = (text: Text): [string, boolean] =>
    typeof text === 'string' ? [text.toLowerCase(), true] : [text.source, false]

  /** Returns the element that is seen with the name, or null. An open dialog hides everything else. */
  async function find(selector: string, name: Text, within = 'body') {
    const found = await evaluate(findNamed, selector, ...pattern(name), within)
    return (found as Record<string, string> | null)?.[ELEMENT] ?? null
  }

  const waitForPage = () => until('a hydrated page', () => evaluate(isHydrated))

  async function movePointer(to: { x: number; y: number; origin?: object }, ...then: object[]): Promise<void> {
    const move = { type: 'pointerMove', duration: 0, ...to }
    await send('PerformActions', { actions: [{ type: 'pointer', id: 'mouse', actions: [move, ...then] }] })
  }

  /** Does something with the element that is seen with the name, and again if the page replaces it meanwhile. */
  const use = (selector: string, name: Text, run: (id: string) => Promise<unknown>, within?: string) =>
    until(`${name} to use`, async () => {
      const id = await find(selector, name, within)
      if (!id) return null
      await evaluate(showAll, { [ELEMENT]: id } as unknown as Element)
      await run(id)
      return id
    })

  /** Clicks a button, link or label with the mouse. @param within CSS selector of an ancestor */
  const press = (name: Text, within?: string) =>
    use(
      BUTTONS,
      name,
      async (id) => {
        // Wakes controls that hide while the mouse rests.
        await movePointer({ x: 300 + (Date.now() % 50), y: 300 })
        if (!(await evaluate(isReachable, { [ELEMENT]: id } as unknown as Element)))
          throw new Error('It is covered or moves')
        await send('ElementClick', { id })
      },
      within,
    )

  const read = (wanted: RegExp) => until(`a text like ${wanted}`, () => evaluate(findText, wanted.source))

  return {
    evaluate,
    until,
    path,

    async open(url: string): Promise<void> {
      await send('Navigate', { url: origin + url })
      await waitForPage()
    },
    async reload(): Promise<void> {
      await send('Refresh', {})
      await waitForPage()
    },
    back: () => send('Back', {}),
    resize: (width: number, height: number) => send('SetWindowRect', { width, height }),

    press,

    /** Clicks a link until its page is shown: WebKit's driver loses a click now and then on a busy machine. */
    async follow(name: Text, expected: string, within?: string): Promise<void> {
      let clickedAt = 0
      await until(`the page ${expected}`, async () => {
        if ((await path()) === expected) return true
        if (Date.now() - clickedAt > LOST_CLICK_MS) {
          await press(name, within)
          clickedAt = Date.now()
        }
        return false
      })
    },
    clickAt: (x: number, y: number) =>
      movePointer({ x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }),
    /** Clicks three times, which selects the paragraph. */
    selectParagraph: (text: Text) =>
      use('p', text, (id) => {
        const click = [
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]
        return movePointer({ x: 0, y: 0, origin: { [ELEMENT]: id } }, ...click, ...click, ...click)
      }),
    hover: (name: Text, within?: string) =>
      use(BUTTONS, name, (id) => movePointer({ x: 0, y: 0, origin: { [ELEMENT]: id } }), within),
    fill: (label: Text, text: string) => use(FIELDS, label, (id) => send('ElementSendKeys', { id, text })),
    /** @param file absolute path */
    choose: (file: string) => use('input[type=file]', /(?:)/, (id) => send('ElementSendKeys', { id, text: file })),
    async solveCaptcha(): Promise<void> {
      const question = await read(/What is \d+ [+−×] \d+\?/)
      await use(FIELDS, /captcha/, (id) => send('ElementSendKeys', { id, text: String(solveQuestion(question)) }))
    },

    read,
    see: (text: Text) => until(`the text ${text}`, () => evaluate(hasText, ...pattern(text))),
    lose: (text: Text) => until(`no text ${text}`, async () => !(await evaluate(hasText, ...pattern(text)))),
    has: async (name: Text, within?: string) => (await find(BUTTONS, name, within)) !== null,
    isAt: (expected: string | RegExp) =>
      until(`the page ${expected}`, async () => {
        const at = await path()
        return typeof expected === 'string' ? at === expected : expected.test(at)
      }),
  }
}

/** Runs in the page. */
function findNamed(selector: string, text: string, isWhole: boolean, within: string): Element | null {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1)
  const scopes = dialog ? [dialog] : [...document.querySelectorAll(within)]
  const clean = (value: string) => value.replace(/\s+/g, ' ').trim()
  const nameOf = (element: HTMLElement) => {
    const labels = (element as HTMLInputElement).labels ?? []
    const label = [...labels].map((one) => one.innerText).join(' ')
    return clean(element.getAttribute('aria-label') ?? (label || element.innerText || element.textContent || ''))
  }
  const matches = (name: string) => (isWhole ? name.toLowerCase() === text : new RegExp(text, 'i').test(name))
  const isSeen = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) || (element as HTMLInputElement).type === 'file'
  return (
    scopes
      .flatMap((scope) => [...scope.querySelectorAll<HTMLElement>(selector)])
      .find((element) => isSeen(element) && matches(nameOf(element))) ?? null
  )
}

/** Runs in the page. Scrolls an element out from under the bars, where drivers take it for visible. */
function showAll(element: Element): void {
  const { top, bottom } = element.getBoundingClientRect()
  if (top < 100 || bottom > innerHeight - 150) element.scrollIntoView({ block: 'center', behavior: 'instant' })
}

/**
 * Runs in the page. Returns whether a click hits the element: WebKit's driver does not check it, and clicks where an
 * element was before it moved.
 */
function isReachable(element: Element): boolean {
  const moves = document.getAnimations().some(({ playState, effect }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null
    return playState === 'running' && target?.contains(element)
  })
  const { left, top, width, height } = element.getClientRects()[0] ?? new DOMRect()
  return !moves && element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

/** Runs in the page. */
function hasText(text: string, isWhole: boolean): boolean {
  const shown = document.body.innerText.replace(/\s+/g, ' ').toLowerCase()
  return isWhole ? shown.includes(text) : new RegExp(text, 'i').test(shown)
}

/** Runs in the page. */
function findText(pattern: string): string | undefined {
  const shown = (document.querySelector<HTMLElement>('dialog:modal') ?? document.body).innerText
  return new RegExp(pattern).exec(shown)?.[0]
}
