const KEY = 'theme'

/** Switches between dark and light and keeps the choice; public/early.js applies it when a page starts. */
export function toggleTheme() {
  const root = document.documentElement
  const chosen = root.dataset.theme
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  const theme = dark ? 'light' : 'dark'
  root.dataset.theme = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // storage is forbidden: the choice lasts as long as the page
  }
}
