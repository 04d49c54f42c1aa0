/** Decorations from the innermost to the outermost: `(2) ♪ song · title`. */
const ORDER = ['song', 'count'] as const
type Name = (typeof ORDER)[number]

const decorations = new Map<Name, (title: string) => string>()
let pageTitle = ''
let lastTitle: string | null = null

/** Adds something to the page's title, also after navigations. Replaces an earlier decoration of the same name. */
export function decorateTitle(name: Name, decorate: (title: string) => string): void {
  if (lastTitle === null) observe()
  decorations.set(name, decorate)
  update()
}

function update(): void {
  const next = ORDER.reduce((title, name) => decorations.get(name)?.(title) ?? title, pageTitle)
  if (next === document.title) return
  document.title = next
  lastTitle = document.title
}

/** When a navigation sets a new title, decorates it. */
function observe(): void {
  pageTitle = document.title
  lastTitle = pageTitle
  new MutationObserver(() => {
    if (document.title === lastTitle) return
    pageTitle = document.title
    lastTitle = pageTitle
    update()
  }).observe(document.head, { childList: true, subtree: true, characterData: true })
}
