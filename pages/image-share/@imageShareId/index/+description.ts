export default 'An image somebody shared; the link expires.'
