/** Variables that say where certificates lie that a program trusts. */
export const certificateVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
