export const PASSWORD_LENGTHS = [8, 12, 16] as const
export type PasswordLength = (typeof PASSWORD_LENGTHS)[number]

export const DEFAULT_PASSWORD_LENGTH: PasswordLength = 16

export const passwordClasses = {
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
  special: '!@#$%^&*()_+-=[]{}|;:,.<>?',
} as const
