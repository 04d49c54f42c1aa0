import { t } from '#src/i18n/t.ts'
import { getPlayer } from './store.ts'

/** Elements that have the focus after a page load and after a navigation. */
export const NEUTRAL_ELEMENTS = 'body, main, h1'

/** For letters that do nothing by themselves: they work everywhere but in fields. */
export const OUTSIDE_FIELDS = ':not(input:not([type=radio]), textarea, select, [contenteditable])'

/**
 * Returns whether a key may be a shortcut: not with a modifier other than Shift, over a modal dialog or a menu, or
 * while the switch "Shortcuts" of the player is off.
 * @param elements selector: shortcuts work only while a matching element has the focus
 */
export function canBeShortcut(event: KeyboardEvent, elements = NEUTRAL_ELEMENTS): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !getPlayer().shortcuts) return false
  const isAccepted = document.activeElement?.matches(elements) ?? true
  return isAccepted && !document.querySelector('dialog:modal, [popover]:popover-open')
}

/** The player's keys, which work on every page. */
export const playerKeys = () =>
  [
    [t('player.spaceKey'), t('player.playOrPause')],
    ['M', t('player.mute')],
    ['↑ ↓', t('player.volume')],
    ['← →', t('player.seekKeys')],
    [', .', t('player.trackKeys')],
  ] as const
