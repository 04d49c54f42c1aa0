import { z } from 'zod'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'
import { ROLES } from './user.ts'

const newEmail = z
  .string(refusal('admin.userEmail'))
  .trim()
  .toLowerCase()
  .max(254, refusal('admin.userEmail'))
  .pipe(z.email(refusal('admin.userEmail')))
/** Accepts emails that are invalid for new users: the first admin is admin@localhost. */
const email = z
  .string(refusal('admin.userEmail'))
  .trim()
  .toLowerCase()
  .min(1, refusal('admin.userEmail'))
  .max(254, refusal('admin.userEmail'))
  .refine(isStorable, refusal('failure.unstorable'))
const role = z.enum(ROLES, refusal('admin.userRole', { roles: ROLES.join(' or ') }))

export const newUser = z.object({ email: newEmail, role })
export const userRef = z.object({ email })
export const roleChange = z.object({ email, role })

export type NewUser = z.infer<typeof newUser>
export type UserRef = z.infer<typeof userRef>
export type RoleChange = z.infer<typeof roleChange>
