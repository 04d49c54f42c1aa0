export default 'A shared text. The link expires.'
