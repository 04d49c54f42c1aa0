export default 'A text somebody shared; the link expires.'
