import { useEffect } from 'react'
import { reload } from 'vike/client/router'
import { useData } from 'vike-react/useData'
import { usePageContext } from 'vike-react/usePageContext'
import { boardMessages } from '#src/contract/board.ts'
import { boardPath } from '#src/contract/boardPaths.ts'
import { Notice } from '#src/features/site/Notice.tsx'
import { ThreadSuggestions } from '#src/features/site/Suggestions.tsx'
import { loadRefusals, translateRefusal, useRefusal } from '#src/i18n/refusals.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.tsx'
import type { Data } from './+data.ts'

const listWaysBack = (boardsName: string): [start: string, href: string, label: string][] => [
  ['/dtpchan/', '/dtpchan', `Back to ${boardsName}`],
  ['/paste/', '/paste-service', 'Back to Paste Service'],
  ['/image-share/', '/image-sharing', 'Back to Image Sharing'],
  ['/today-in-tech/', '/today-in-tech', 'Back to Today in Tech'],
]

/** Links from a missing thread to its board, unless the board is missing too. */
function toBoard(path: string, reason: string | null): ReturnType<typeof listWaysBack>[number] | undefined {
  const [, board] = /^\/dtpchan\/board\/([\w-]+)\/thread\//.exec(path) ?? []
  if (board === undefined || reason !== translateRefusal(boardMessages.threadNotFound)) return undefined
  return [path, boardPath(board), `Back to /${board}/`]
}

function missingHint(path: string, code: number): string {
  if (/^\/(paste|image-share)\//.test(path)) return 'It has expired or been deleted.'
  return code === 410 ? 'It won’t come back.' : 'It may have moved, been deleted, or never existed.'
}

export default function Page() {
  // Undefined if the browser renders the page.
  const data = useData<Data | undefined>()
  return (
    <>
      <ErrorNotice />
      <ThreadSuggestions initial={data?.threads} />
    </>
  )
}

function ErrorNotice() {
  const { urlPathname, is404, abortStatusCode, abortReason, isClientSide, isHydration } = usePageContext()
  const { boardsName } = useSite()
  useEffect(loadRefusals, [])
  const code = abortStatusCode ?? (is404 ? 404 : 500)
  const reason = useRefusal(typeof abortReason === 'string' ? abortReason : '') || null

  if (code === 404 || code === 410) {
    const [, href, label] = toBoard(urlPathname, reason) ??
      listWaysBack(boardsName).find(([start]) => `${urlPathname}/`.startsWith(start)) ?? ['', '/', 'Back to Home']
    return (
      <Notice
        label={`Error ${code}`}
        title={reason ?? 'Page not found'}
        hint={missingHint(urlPathname, code)}
        action={
          <ButtonLink variant="primary" href={href}>
            {label}
          </ButtonLink>
        }
      />
    )
  }
  const isOffline = isClientSide && !isHydration && !navigator.onLine
  return (
    <Notice
      label={isOffline ? 'No network' : `Error ${code}`}
      title={isOffline ? 'You are offline' : (reason ?? 'Something went wrong')}
      hint={
        isOffline
          ? 'This page needs the network. Try again when you are connected.'
          : 'This is our fault, not yours. Try again in a moment.'
      }
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
