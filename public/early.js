// What must work from the first paint: a classic script, because it runs before that and before any module.

const root = document.documentElement
try {
  // the page never flashes in the other theme
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
} catch {
  // storage is forbidden: the system's theme stays
}

// the theme switch of the top bar
addEventListener('click', ({ target }) => {
  if (!target.closest('[data-theme-switch]')) return
  const chosen = root.dataset.theme
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem('theme', root.dataset.theme)
  } catch {
    // storage is forbidden: the choice lasts as long as the page
  }
})

// before the router's own listener: Back may close a dialog instead of leaving the page (src/ui/overlayHistory.ts)
addEventListener('popstate', (event) => globalThis.__onPopState?.(event))

// zod would try out whether strings may become code, and every page report a violation of the policy
globalThis.__zod_globalConfig = { jitless: true }
