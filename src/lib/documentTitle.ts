/** Decorations from the innermost to the outermost: `(2) ♪ song · title`. */
const ORDER = ['song', 'count'] as const
type Name = (typeof ORDER)[number]

const decorations = new Map<Name, (title: string) => string>()
let pageTitle = ''
/** the title with its decorations; null before the first */
let decorated: string | null = null

/** Adds something to the page's title, also after navigations. Replaces an earlier decoration of the same name. */
export function decorateTitle(name: Name, decorate: (title: string) => string): void {
  if (decorated === null) {
    const observer = new MutationObserver(() => document.title !== decorated && update())
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
  }
  decorations.set(name, decorate)
  update()
}

function update(): void {
  // A navigation has set another title, perhaps in this task: its mutation is reported later.
  if (document.title !== decorated) pageTitle = document.title
  const next = ORDER.reduce((title, name) => decorations.get(name)?.(title) ?? title, pageTitle)
  if (next !== document.title) document.title = next
  decorated = document.title
}
