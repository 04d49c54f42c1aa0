// A classic script on purpose: it runs before the first paint, so the page never flashes in the other theme.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {
  // storage is forbidden: the system's theme stays
}

// zod would try out whether strings may become code, and every page report a violation of the policy
globalThis.__zod_globalConfig = { jitless: true }
