import { useEffect } from 'react'
import { reload } from 'vike/client/router'
import { useData } from 'vike-react/useData'
import { usePageContext } from 'vike-react/usePageContext'
import { boardPath } from '#src/contract/board.ts'
import { OwnUnpublishedPosts } from '#src/features/board/writing/OwnUnpublishedPosts.ts'
import { Notice } from '#src/features/site/Notice.tsx'
import { ThreadSuggestions } from '#src/features/site/Suggestions.tsx'
import { UnsentPost } from '#src/features/site/UnsentPost.tsx'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.ts'
import type { Data } from './+data.ts'

const listWaysBack = (boardsName: string): [start: string, href: string, label: string][] => [
  ['/dtpchan/', '/dtpchan', t('site.backTo', { name: boardsName })],
  ['/paste/', '/paste-service', t('ui.backToPasteService')],
  ['/image-share/', '/image-sharing', t('ui.backToImageSharing')],
  ['/today-in-tech/', '/today-in-tech', t('site.backToNews')],
]

/** Links from a missing thread, or a form for it, to its board, unless the board is missing too. */
function toBoard(path: string, reason: string | null): ReturnType<typeof listWaysBack>[number] | undefined {
  const [, board] = /^\/dtpchan\/board\/([\w-]+)\/(?:thread\/|post$)/.exec(path) ?? []
  if (board === undefined || reason !== t('board.threadNotFound')) return undefined
  return [path, boardPath(board), t('site.backTo', { name: `/${board}/` })]
}

function missingHint(path: string, code: number): string {
  if (/^\/(paste|image-share)\//.test(path)) return t('site.missingShareHint')
  return code === 410 ? t('site.goneHint') : t('site.missingHint')
}

export default function Page() {
  // Undefined if the browser renders the page.
  const data = useData<Data | undefined>()
  const { urlPathname } = usePageContext()
  const [, boardId, threadId] = /^\/dtpchan\/board\/([\w-]+)\/thread\/(\d+)$/.exec(urlPathname) ?? []
  return (
    <>
      <ErrorNotice />
      {boardId !== undefined && (
        <div className="wrap">
          <OwnUnpublishedPosts boardId={boardId} threadId={Number(threadId)} listShownIds={() => []} />
        </div>
      )}
      {data?.unsent && <UnsentPost texts={data.unsent} />}
      <ThreadSuggestions />
    </>
  )
}

/** Reloads the page without stopping the music. */
const tryAgain = () => void reload()

function ErrorNotice() {
  const { formUrl, urlPathname, is404, abortStatusCode, abortReason, isClientSide, isHydration } = usePageContext()
  const { boardsName } = useSite()
  const code = abortStatusCode ?? (is404 ? 404 : 500)
  const isOffline = isClientSide && !isHydration && !navigator.onLine
  useEffect(() => {
    if (!isOffline) return
    addEventListener('online', tryAgain)
    return () => removeEventListener('online', tryAgain)
  }, [isOffline])
  const reason = typeof abortReason === 'string' ? abortReason : null

  if (code === 404 || code === 410) {
    // In the browser, the path of a form that was sent without script is the path of the call.
    const [path = urlPathname] = formUrl?.split('?') ?? []
    const [, href, label] = toBoard(path, reason) ??
      listWaysBack(boardsName).find(([start]) => `${path}/`.startsWith(start)) ?? ['', '/', t('site.backHome')]
    return (
      <Notice
        role="alert"
        label={t('site.error', { code })}
        title={reason ?? t('ui.pageNotFound')}
        hint={missingHint(path, code)}
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
      role="alert"
      label={isOffline ? t('site.noNetwork') : t('site.error', { code })}
      title={isOffline ? t('site.offlineTitle') : (reason ?? t('site.errorTitle'))}
      hint={isOffline ? t('site.offlineHint') : t('site.errorHint')}
      action={
        <ButtonLink
          variant="primary"
          href=""
          onClick={(event) => {
            event.preventDefault()
            tryAgain()
          }}
        >
          {t('ui.tryAgain')}
        </ButtonLink>
      }
    />
  )
}
