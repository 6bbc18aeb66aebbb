// SPDX-License-Identifier: GPL-2.0
//! One message, one line.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A message and the number of the request that it is, or answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbered<T> {
    /// Number of the request.
    pub number: u64,
    /// The message itself.
    pub message: T,
}

/// A line that is not the message that was expected.
#[derive(Debug, thiserror::Error)]
#[error("not a message: {reason}: {line:?}")]
pub struct DecodeError {
    /// What the line has wrong.
    pub reason: String,
    /// The first part of the line.
    pub line: String,
}

/// Longest piece of a bad line that an error repeats, in characters.
const SHOWN: usize = 120;

/// Turns a message into its line, newline included.
///
/// # Errors
///
/// Only if the message cannot be put into JSON, which none of this crate's messages can cause.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads a message from its line, with or without the newline.
///
/// # Errors
///
/// When the line is not that message; the error shows the beginning of the line.
pub fn decode<T: DeserializeOwned>(line: &[u8]) -> Result<T, DecodeError> {
    serde_json::from_slice(line).map_err(|error| DecodeError {
        reason: error.to_string(),
        line: String::from_utf8_lossy(line)
            .trim_end()
            .chars()
            .take(SHOWN)
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bytes, Reply, Request};

    #[test]
    fn a_request_is_one_line_and_comes_back_equal() {
        let request = Numbered {
            number: 7,
            message: Request::Batch(vec![
                Request::Ping,
                Request::Write {
                    path: "/sys/x".into(),
                    data: Bytes::from(b"passive\n\0\0"),
                },
            ]),
        };
        let line = encode(&request).unwrap();
        assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1);
        assert_eq!(decode::<Numbered<Request>>(&line).unwrap(), request);
    }

    #[test]
    fn a_line_of_garbage_is_shown_in_the_error() {
        let error = decode::<Numbered<Reply>>(b"Kernel panic - not syncing\n").unwrap_err();
        assert!(
            error.to_string().contains("Kernel panic - not syncing"),
            "{error}"
        );
    }

    #[test]
    fn a_bad_line_is_not_repeated_in_full() {
        let error = decode::<Reply>(&[b'x'; 10_000]).unwrap_err();
        assert!(error.to_string().len() < 300, "{}", error.to_string().len());
    }
}
