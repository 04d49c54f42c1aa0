// A blocking script in the head of every page. It contains only code that must run before any module.

const root = document.documentElement
const choices = { theme: ['dark', 'light'], density: ['comfortable', 'compact'] }
const showChoices = () => {
  try {
    for (const [name, values] of Object.entries(choices)) {
      const value = localStorage.getItem(name)
      if (values.includes(value)) root.dataset[name] = value
    }
  } catch {
    // Without storage, the system's theme applies.
  }
}
// Before the first paint, so that neither theme nor density flashes
showChoices()
// Another tab can change them, also while this page is in the back/forward cache.
for (const type of ['storage', 'pageshow']) addEventListener(type, showChoices)

try {
  // Uncached fonts would share the bandwidth with the styles and delay the first paint.
  if (!localStorage.getItem('fonts')) root.dataset.fonts = 'late'
  // Home welcomes only new visitors at length.
  else root.dataset.known = ''
  // Boards that the visitor hides must not flash on the page of all boards. OverboardScreen.tsx removes the style sheet.
  if (location.pathname === '/dtpchan/all') {
    const sheet = new CSSStyleSheet()
    for (const id of JSON.parse(localStorage.getItem('dtpchan_hidden_boards') ?? '[]')) {
      sheet.insertRule(`[data-board="${CSS.escape(id)}"] { display: none }`)
    }
    document.adoptedStyleSheets = [sheet]
  }
} catch {
  // Without storage, the page paints with its fonts.
}

// Shows the parts of src/ui/Scripted.tsx before they are painted. The end tag is missing while one is incomplete.
const showScripted = () => {
  for (const part of document.querySelectorAll('script[data-scripted]')) {
    if (part.text.endsWith('</scripted-part>')) part.outerHTML = part.text.slice(0, -'</scripted-part>'.length)
  }
}
// Before each frame of a page that is still being parsed. An observer would get a record of every element.
let frame
const showBeforeFrame = () => {
  showScripted()
  frame = requestAnimationFrame(showBeforeFrame)
}
frame = requestAnimationFrame(showBeforeFrame)

const choose = (name, value) => {
  root.dataset[name] = value
  try {
    localStorage.setItem(name, value)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
// Handles the theme switch of the top bar, and the density switch of lists.
addEventListener('click', ({ target }) => {
  const density = target.closest('[data-density-choice]')
  if (density) choose('density', density.dataset.densityChoice || 'comfortable')
  if (!target.closest('[data-theme-switch]')) return
  const chosen = root.dataset.theme
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  choose('theme', isDark ? 'light' : 'dark')
})

// src/ui/overlayHistory.ts sets __onPopState, so that Back can close a dialog. This listener must run before the
// router's, so it is registered here.
addEventListener('popstate', (event) => globalThis.__onPopState?.(event))

// Prevents zod's test for eval, which would violate the content security policy
globalThis.__zod_globalConfig = { jitless: true }

/** for browsers that do not report paints, to prevent fingerprinting */
const LONGEST_WAIT_MS = 500

/**
 * Adds the fonts of the style sheets under the names that the styles of a first visit have for them. If these styles
 * changed instead, the browser would compute the style of every element again.
 */
const loadFonts = async () => {
  const sheets = [...document.styleSheets].filter(({ href }) => href?.startsWith(location.origin))
  const rules = sheets.flatMap(({ cssRules }) => [...cssRules]).filter((rule) => rule instanceof CSSFontFaceRule)
  const sources = rules.map(({ style }) =>
    ['font-family', 'src', 'font-weight'].map((name) => style.getPropertyValue(name)),
  )
  const faces = sources.flatMap(([family, source, weight]) =>
    source.includes('url(') ? new FontFace(`Late ${family.replaceAll('"', '')}`, source, { weight }).load() : [],
  )
  // If the style sheets do not load, later ones bring their fonts themselves.
  if (faces.length === 0) return delete root.dataset.fonts
  // All at once, because each font lays the page out again.
  for (const face of await Promise.all(faces)) document.fonts.add(face)
  root.dataset.fonts = 'loaded'
  localStorage.setItem('fonts', 'cached')
}
// server/plugins/pages/renderPage.ts deferred the modules.
const loadModules = () => {
  for (const script of document.querySelectorAll('script[data-src]')) script.src = script.dataset.src
  for (const link of document.querySelectorAll('link[data-rel]')) link.rel = link.dataset.rel
}
const loadRest = () => {
  // If a font does not load, the fallbacks remain.
  if (root.dataset.fonts) loadFonts().catch(() => undefined)
  loadModules()
}
// Loads what the first paint does not need, after that paint. A hidden tab does not paint.
addEventListener('DOMContentLoaded', () => {
  cancelAnimationFrame(frame)
  showScripted()
  const painted = new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    setTimeout(resolve, document.hidden ? 0 : LONGEST_WAIT_MS)
  })
  painted.then(loadRest)
})
