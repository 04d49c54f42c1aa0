import { z } from 'zod'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'
import { ROLES } from './user.ts'

export const userMessages = {
  email: 'Invalid email address',
  role: `Invalid role: use ${ROLES.join(' or ')}`,
  notFound: 'User not found',
  lastAdmin: 'The site needs at least one admin',
  ownRole: 'You cannot change your own role',
  ownAccount: 'You cannot remove your own account',
} as const

const newEmail = z
  .string(userMessages.email)
  .trim()
  .toLowerCase()
  .max(254, userMessages.email)
  .pipe(z.email(userMessages.email))
/** Accepts emails that are invalid for new users: the first admin is admin@localhost. */
const email = z
  .string(userMessages.email)
  .trim()
  .toLowerCase()
  .min(1, userMessages.email)
  .max(254, userMessages.email)
  .refine(isStorable, ILL_FORMED_TEXT)
const role = z.enum(ROLES, userMessages.role)

export const newUser = z.object({ email: newEmail, role })
export const userRef = z.object({ email })
export const roleChange = z.object({ email, role })

export type NewUser = z.infer<typeof newUser>
export type UserRef = z.infer<typeof userRef>
export type RoleChange = z.infer<typeof roleChange>
