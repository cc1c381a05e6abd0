/** X.509 certificates in DER, for a simulated certificate authority. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);

const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const digits = [arc & 127];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
};

const name = (text: string): Buffer =>
  sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(text)))));

/** `YYYYMMDDHHMMSSZ` */
const time = (at: Date): Buffer =>
  der(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`));

const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));

export interface Certified {
  subject: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  der: Buffer;
}

export interface CertificateOptions {
  subject: string;
  /** Absent: it signs itself. */
  issuer?: Certified;
  isCa?: boolean;
  /** Extensions that only mark what the certificate is for. */
  marks?: readonly string[];
  from?: Date;
  until?: Date;
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

export const certify = ({
  subject,
  issuer,
  isCa = false,
  marks = [],
  from = new Date('2020-01-01T00:00:00Z'),
  until = new Date('2049-01-01T00:00:00Z'),
}: CertificateOptions): Certified => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serial = createHash('sha256').update(subject).digest().subarray(0, 8);
  const constraints = isCa ? [extension('2.5.29.19', sequence(der(0x01, Buffer.from([255]))))] : [];
  const extensions = [...constraints, ...marks.map((id) => extension(id, der(0x05)))];
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), serial),
    ecdsaWithSha256,
    name(issuer?.subject ?? subject),
    sequence(time(from), time(until)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign('sha256', content, issuer?.privateKey ?? privateKey);
  const signed = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return { subject, privateKey, publicKey, der: signed };
};

export const pemOf = (certificate: Certified): string =>
  [
    '-----BEGIN CERTIFICATE-----',
    ...(certificate.der.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n');
