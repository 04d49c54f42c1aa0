import { render } from 'vike/abort'

export function data(): never {
  throw render(404)
}
