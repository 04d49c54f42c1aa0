// An inline script in the head of every page. The content security policy allows it by its hash. It contains only code
// that must run before any module.

const root = document.documentElement
try {
  // Runs before the first paint, so that the theme does not flash.
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
} catch {
  // Without storage, the system's theme applies.
}

// Handles the theme switch of the top bar.
addEventListener('click', ({ target }) => {
  if (!target.closest('[data-theme-switch]')) return
  const chosen = root.dataset.theme
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem('theme', root.dataset.theme)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
})

// src/ui/overlayHistory.ts sets __onPopState, so that Back can close a dialog. This listener must run before the
// router's, so it is registered here.
addEventListener('popstate', (event) => globalThis.__onPopState?.(event))

// Prevents zod's test for eval, which would violate the content security policy
globalThis.__zod_globalConfig = { jitless: true }
