import type { ReactNode } from 'react'

/** Puts a space after an element that styles keep apart from the next one: text browsers ignore them. */
export const Apart = ({ children }: { children: ReactNode }) => <>{children} </>

/** Does so with each element of a list. */
export const apart = (elements: ReactNode[]): ReactNode[] => elements.flatMap((element) => [element, ' '])
