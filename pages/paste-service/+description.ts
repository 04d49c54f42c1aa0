export default 'Share text and code with a link that expires. Encrypted with AES-256, no account needed.'
