import type { ReactNode } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { BoardBanner } from '#src/features/board/BoardBanner.tsx'

/** Shows a random banner of the operator above the pages of a board. */
export default function Layout({ children }: { children: ReactNode }) {
  const { hasBanner, routeParams, urlPathname } = usePageContext()
  return (
    <>
      {hasBanner && <BoardBanner boardId={routeParams.boardId ?? ''} page={urlPathname} />}
      {children}
    </>
  )
}
