import { reload } from 'vike/client/router'
import { usePageContext } from 'vike-react/usePageContext'
import { boardMessages } from '#src/contract/board.ts'
import { boardPath } from '#src/contract/boardPaths.ts'
import { Notice } from '#src/features/site/Notice.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'

const waysBack: [start: string, href: string, label: string][] = [
  ['/dtpchan/', '/dtpchan', 'Back to DTPChan'],
  ['/paste/', '/paste-service', 'Back to Paste Service'],
  ['/image-share/', '/image-sharing', 'Back to Image Sharing'],
  ['/today-in-tech/', '/today-in-tech', 'Back to Today in Tech'],
]

/** Links from a missing thread to its board, unless the board is missing too. */
function toBoard(path: string, reason: string | null): (typeof waysBack)[number] | undefined {
  const [, board] = /^\/dtpchan\/board\/([\w-]+)\/thread\//.exec(path) ?? []
  if (board === undefined || reason !== boardMessages.threadNotFound) return undefined
  return [path, boardPath(board), `Back to /${board}/`]
}

export default function Page() {
  const { urlPathname, is404, abortStatusCode, abortReason } = usePageContext()
  const code = abortStatusCode ?? (is404 ? 404 : 500)
  const reason = typeof abortReason === 'string' ? abortReason : null

  if (code === 404 || code === 410) {
    const [, href, label] = toBoard(urlPathname, reason) ??
      waysBack.find(([start]) => `${urlPathname}/`.startsWith(start)) ?? ['', '/', 'Back to Home']
    return (
      <Notice
        label={`Error ${code}`}
        title={reason ?? 'Page not found'}
        hint={
          code === 410 ? 'It was here, and it will not come back.' : 'It may have been moved, deleted, or never been.'
        }
        action={
          <ButtonLink variant="primary" href={href}>
            {label}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <Notice
      label={`Error ${code}`}
      title={reason ?? 'Something went wrong'}
      hint="The fault is on our side. It often passes in a moment."
      action={
        <ButtonLink
          variant="primary"
          href=""
          onClick={(event) => {
            // Reloads the page without stopping the music.
            event.preventDefault()
            void reload()
          }}
        >
          Try again
        </ButtonLink>
      }
    />
  )
}
