// What must hold before anything else of the page does: a classic script, for it runs before the first paint and
// before any module.
try {
  // the page never flashes in the other theme
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {
  // storage is forbidden: the system's theme stays
}

// zod would try out whether strings may become code, and every page report a violation of the policy
globalThis.__zod_globalConfig = { jitless: true }

// What is pressed or set before the site's script has come is done when it has, by src/ui/later.tsx.
globalThis.__early = []
for (const kind of ['click', 'input']) {
  addEventListener(kind, ({ target }) => globalThis.__early?.push({ target, value: target.value }), true)
}
