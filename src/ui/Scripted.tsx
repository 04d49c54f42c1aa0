import { createContext, createElement, type ReactNode, use } from 'react'
import { SCRIPTED_TAG } from '#src/contract/forms.ts'

const IsInside = /* @__PURE__ */ createContext(false)

type ScriptedProps = { children: ReactNode }

function ServerPart({ children }: ScriptedProps) {
  if (use(IsInside)) return children
  return <IsInside value={true}>{createElement(SCRIPTED_TAG, null, children)}</IsInside>
}

/**
 * Keeps its children from browsers without script: they would do nothing there, and text browsers ignore the styles that
 * could hide them. The server sends them as data (`renderPage.ts`), and `pages/early.js` shows them before the first
 * paint.
 */
export const Scripted = import.meta.env.SSR ? ServerPart : ({ children }: ScriptedProps) => children
