import { t } from '#src/i18n/t.ts'
import { endNavigation } from '#src/lib/slowNavigation.ts'
import { deferUntilOnline, openDeferredPage } from '#src/player/offlineNavigation.ts'
import styles from '#src/player/PlayerBar.module.css'
import { getPlayer, setPlayer, usePlayer } from '#src/player/store.ts'
import { Button } from '#src/ui/Button.tsx'
import { toast } from '#src/ui/Toast.tsx'

/** A response that needs no database. */
const PROBE = '/robots.txt'
const RECHECK_MS = 10_000

let isChunkMissing = false
let wasUnreachable = false
let isLoadAllowed = false

/** Blocks page loads, which stop the music. The router falls back to them after a deploy or a failed request. */
export function guardPageReloads() {
  window.addEventListener('vite:preloadError', () => {
    isChunkMissing = true
  })
  window.navigation?.addEventListener('navigate', (event) => {
    const { destination, navigationType, downloadRequest } = event
    const keepsPage = destination.sameDocument || navigationType === 'reload' || downloadRequest !== null
    const isSameOrigin = new URL(destination.url).origin === location.origin
    if (!isChunkMissing || isLoadAllowed || keepsPage || !isSameOrigin || !event.cancelable) return
    event.preventDefault()
    void blockPage(destination.url)
  })
}

async function blockPage(url: string) {
  endNavigation()
  const isReachable = await responds(url)
  if (isReachable && getPlayer().status === 'paused') return loadPage(url)
  wasUnreachable ||= !isReachable
  const loads = wasUnreachable ? 'reload' : 'newVersion'
  setPlayer({ blockedPage: { url, reason: isReachable ? loads : 'unreachable' } })
  if (!isReachable) hideWhenReachable(url)
}

const responds = (url: string) =>
  fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Hides the alert. Does not open the page: by now, the visitor may be writing on this one. */
function hideWhenReachable(url: string) {
  const { blockedPage } = getPlayer()
  const isShown = () => getPlayer().blockedPage === blockedPage
  setTimeout(async () => {
    if (!isShown()) return
    const isBack = await responds(url)
    if (!isShown()) return
    if (isBack) setPlayer({ blockedPage: null })
    else hideWhenReachable(url)
  }, RECHECK_MS)
}

function loadPage(url: string) {
  isLoadAllowed = true
  location.assign(url)
}

async function openBlockedPage() {
  const { blockedPage } = getPlayer()
  if (!blockedPage) return
  if (blockedPage.reason === 'offline') await retryOfflinePage()
  else if (blockedPage.reason === 'unreachable') await blockPage(blockedPage.url)
  else loadPage(blockedPage.url)
}

/** Asks the site: some browsers report a lost network long after it is back. */
async function retryOfflinePage() {
  if (await responds(PROBE)) openDeferredPage()
  else toast(t('player.stillOffline'))
}

/** Blocks links while offline. Otherwise a click would load the browser's error page, which stops the music. */
export function guardOfflineLinks(): void {
  // Listens on the body, to run after React's listeners and before the router's listener on the document.
  document.body.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]')
    if (navigator.onLine || event.defaultPrevented || !link || !replacesPage(event, link)) return
    event.preventDefault()
    event.stopPropagation()
    void deferUntilOnline(link.href)
  })
}

function replacesPage({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent, link: HTMLAnchorElement): boolean {
  const isAnchor = link.hash !== '' && link.pathname === location.pathname && link.search === location.search
  const isPlain = button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
  return isPlain && !isAnchor && !link.target && !link.download && /^https?:$/.test(link.protocol)
}

const TEXTS = {
  offline: () => t('player.offlinePage'),
  unreachable: () => t('player.unreachable'),
  newVersion: () => t('player.newVersion'),
  reload: () => t('player.reload'),
}

export function BlockedPageAlert() {
  const { blockedPage } = usePlayer()
  if (blockedPage === null) return null
  const isOffline = blockedPage.reason === 'offline'
  return (
    <div className={`wrap cluster ${styles.alert}`} role="alert">
      <span>{TEXTS[blockedPage.reason]()}</span>
      <div className="cluster">
        <Button size="small" onClick={() => void openBlockedPage()}>
          {isOffline || blockedPage.reason === 'unreachable' ? t('ui.tryAgain') : t('player.openPage')}
        </Button>
        <Button size="small" variant="text" onClick={() => setPlayer({ blockedPage: null })}>
          {isOffline ? t('player.stayHere') : t('player.notNow')}
        </Button>
      </div>
    </div>
  )
}
