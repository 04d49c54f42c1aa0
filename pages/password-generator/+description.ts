export default 'Random passwords of 8, 12 or 16 characters, made in your browser with cryptographic randomness and sent nowhere.'
