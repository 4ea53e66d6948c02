//! Files → [`Suite`](crate::Suite).
