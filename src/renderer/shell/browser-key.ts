/** By this the core knows a browser at an address. Scripts, ours included, can sign with it and never read it. */
export interface BrowserKey {
  /** SPKI in base64url. */
  readonly publicKey: string;
  sign(text: string): Promise<string>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const store = 'keys';
const name = 'browser';

export async function browserKey(): Promise<BrowserKey> {
  // Where a browser keeps nothing, the key lasts as long as the page.
  const { privateKey, publicKey } = await keptPair().catch(newPair);
  return {
    publicKey: base64url(await crypto.subtle.exportKey('spki', publicKey)),
    sign: async (text) =>
      base64url(await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(text))),
  };
}

const newPair = () => crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);

async function keptPair(): Promise<CryptoKeyPair> {
  const database = await openDatabase();
  try {
    const readPair = () =>
      done<CryptoKeyPair | undefined>(database.transaction(store).objectStore(store).get(name));
    const stored = await readPair();
    if (stored) return stored;
    const created = await newPair();
    // Another tab may have been quicker: then its key is everyone's.
    const added = done(database.transaction(store, 'readwrite').objectStore(store).add(created, name));
    return await added.then(
      () => created,
      async () => (await readPair()) ?? created,
    );
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('interlinear', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing.'));
  });
}

function base64url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
