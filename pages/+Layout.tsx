import { WATCHING_KEY } from '#src/contract/post.ts'
import { playlistPath } from '#src/contract/radio.ts'
import { rich, t } from '#src/i18n/t.ts'
import '#src/styles/tokens.css'
import '#src/styles/waves.css'
import '#src/styles/base.css'
import '#src/styles/classes.css'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { PasswordNotice } from '#src/features/auth/PasswordNotice.tsx'
import { logout, setLoginOpen, startSession, useSessionState } from '#src/features/auth/session.ts'
import { useWaiting } from '#src/features/moderation/waiting.ts'
import { Footer } from '#src/features/site/Footer.tsx'
import { SiteNotice } from '#src/features/site/SiteNotice.tsx'
import { TopBar } from '#src/features/site/TopBar.tsx'
import { focusOn } from '#src/lib/focus.ts'
import { PlayerBar } from '#src/player/PlayerBar.tsx'
import { initialPlayer } from '#src/player/store.ts'
import { NavigationProgress } from '#src/ui/NavigationProgress.tsx'
import { Toaster, toast } from '#src/ui/Toast.tsx'
import { createStoredPart, useLazyComponent } from '#src/ui/useLazyComponent.ts'

const importLoginDialog = () => import('#src/features/auth/LoginDialog.tsx').then((module) => module.LoginDialog)
const importQueueFollower = () =>
  import('#src/features/moderation/QueueFollower.tsx').then((module) => module.QueueFollower)

/** Only visitors who have watched a thread or posted load it. */
const WatchMenu = createStoredPart(
  WATCHING_KEY,
  async () => (await import('#src/features/board/watching/WatchMenu.tsx')).WatchMenu,
)

/** Surrounds every page. Stays mounted during navigation, so that the player keeps playing. */
export default function Layout({ children }: { children: ReactNode }) {
  const { user, ended, isLoginOpen: loggingIn } = useSessionState()
  const LoginDialog = useLazyComponent(importLoginDialog, loggingIn)
  const QueueFollower = useLazyComponent(importQueueFollower, user !== null)
  const waiting = useWaiting()
  const main = useFocusOnNavigation()
  const { banner } = usePageContext()

  useEffect(startSession, [])

  /** Logs out and moves the focus to the main part, because the logout button disappears. */
  async function leave() {
    await logout()
    toast(t('site.loggedOut'))
    main.current?.focus({ preventScroll: true })
  }

  return (
    <>
      <a className="skip" href="#main">
        {t('site.skipToContent')}
      </a>
      {/* React hydrates Suspense boundaries in small steps, so that the page stays responsive. */}
      <Suspense>
        <TopBar
          user={user}
          waiting={waiting?.count ?? null}
          onLogout={() => void leave()}
          onLogin={ended ? () => setLoginOpen(true) : undefined}
        >
          <WatchMenu />
        </TopBar>
      </Suspense>
      <SiteNotice />
      <PasswordNotice />
      <noscript>
        <p className="unscripted">
          {rich('site.withoutScript', {
            a: (text) => <a href={playlistPath(initialPlayer.stationId, 'm3u')}>{text}</a>,
          })}
        </p>
      </noscript>
      <main id="main" ref={main} tabIndex={-1}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own HTML, see server/features/site/images/banners.ts */}
        {banner && <p className="banner" dangerouslySetInnerHTML={{ __html: banner }} />}
        <Suspense>{children}</Suspense>
      </main>
      <Suspense>
        <Footer user={user} />
      </Suspense>
      <PlayerBar />
      {LoginDialog && loggingIn && <LoginDialog ended={ended} onClose={() => setLoginOpen(false)} />}
      {QueueFollower && user && <QueueFollower key={`${user.email} ${user.role}`} user={user} />}
      <Toaster />
      <NavigationProgress />
    </>
  )
}

/**
 * Focuses the new page's heading, or the element of the URL's hash: screen readers start there. Skips pages that set the
 * focus.
 */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { urlPathname, urlParsed } = usePageContext()
  const url = urlPathname + (urlParsed.searchOriginal ?? '')
  const shown = useRef(url)

  // In a layout effect, because a passive one could take the focus back from a visitor who already pressed Tab.
  useLayoutEffect(() => {
    if (shown.current === url) return
    shown.current = url
    if (main.current?.contains(document.activeElement)) return
    const linked = document.getElementById(location.hash.slice(1))
    focusOn(linked ?? main.current?.querySelector('h1') ?? main.current)
  }, [url])

  return main
}
