import type { JsonSchema } from './jsonSchema.ts'

/** Values of fields in the examples of the documentation. Fields with the same name mean the same everywhere. */
const EXAMPLES: Record<string, unknown> = {
  addedBy: 'gl1tch',
  appealToken: 'the appealToken of the notice',
  author: 'gl1tch',
  boardId: 'tech',
  captchaAnswer: '12',
  category: 'Development',
  challengeId: 'the challengeId of the captcha',
  commentId: '2',
  content: 'Some text',
  currentPassword: 'the old password',
  description: 'What it is about',
  email: 'admin@example.org',
  endsAt: '2030-01-31T12:00:00Z',
  filename: 'a3f1c2.png',
  firstDay: '2030-01-31',
  heldFor: 'raid',
  itemId: '2',
  link: 'https://example.org/',
  logId: 1,
  minutes: 60,
  name: 'A name',
  newPassword: 'correct horse battery',
  password: 'correct horse battery',
  postId: '2',
  reason: 'Spam',
  replyId: '3',
  rules: 'Be kind',
  startTime: '20:00',
  stationId: '1',
  streamerId: '1',
  text: 'Some text',
  threadId: '1',
  title: 'A title',
  token: 'the token of the delete link',
  trackId: 1,
  url: '/dtpchan/board/tech/thread/1',
  value: 'cheap watches',
  zone: 'Europe/Berlin',
}

/** Returns a value for a field, or undefined if its type says nothing about it. */
export function exampleOf(name: string, schema: JsonSchema): unknown {
  const choices = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (choices.length > 0) return choices.find((choice) => choice === EXAMPLES[name]) ?? choices[0]
  if (schema.default !== undefined) return schema.default
  if (Object.hasOwn(EXAMPLES, name)) return EXAMPLES[name]
  if (schema.type === 'boolean') return true
  return schema.type === 'array' && schema.items ? [exampleOf('', schema.items)] : undefined
}
