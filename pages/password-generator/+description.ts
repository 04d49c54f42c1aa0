export default 'Strong random passwords of 8, 12 or 16 characters. Your browser makes them; nothing is sent.'
