import { type Refusal, refusal } from './refusal.ts'

export const limitRefusals = {
  post: refusal('limit.post'),
  thread: refusal('limit.thread'),
  upload: refusal('limit.upload'),
  paste: refusal('limit.paste'),
  captcha: refusal('limit.captcha'),
  login: refusal('limit.login'),
  report: refusal('limit.report'),
  watch: refusal('limit.watch'),
}
export type LimitKind = keyof typeof limitRefusals

export const siteLimitRefusals: { readonly [kind in LimitKind]?: Refusal } = {
  post: refusal('limit.sitePost'),
  thread: refusal('limit.siteThread'),
  upload: refusal('limit.siteUpload'),
  paste: refusal('limit.sitePaste'),
  report: refusal('limit.siteReport'),
  watch: refusal('limit.siteWatch'),
}

export const storageRefusals = {
  image: { network: refusal('limit.imageBytes'), full: refusal('limit.imagesFull') },
  paste: { network: refusal('limit.pasteBytes'), full: refusal('limit.pastesFull') },
}
export type StorageKind = keyof typeof storageRefusals
